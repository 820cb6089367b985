ALTER TABLE coupons ADD COLUMN valid_until date;
