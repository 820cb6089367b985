export const SEARCH = `query Search($text: String!, $region: String!) { search(text: $text, region: $region) { id title } }`;
