exports.rss = (show, list) =>
  "<rss version='2.0'><channel><title>" + show + "</title>" + list.map((e) => "<item><title>" + e.title + "</title></item>").join("") + "</channel></rss>";
