CREATE TABLE coupons (code text PRIMARY KEY, percent smallint NOT NULL);
