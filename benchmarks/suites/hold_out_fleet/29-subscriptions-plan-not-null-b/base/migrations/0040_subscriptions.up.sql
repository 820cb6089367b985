CREATE TABLE subscriptions (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member_id  bigint NOT NULL,
    plan_id    bigint,
    starts_on  date NOT NULL,
    ends_on    date
);
