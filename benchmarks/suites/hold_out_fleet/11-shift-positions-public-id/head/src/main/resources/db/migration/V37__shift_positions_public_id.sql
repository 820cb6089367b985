-- ids we can show to partners
ALTER TABLE shift_positions
    ADD COLUMN public_id uuid NOT NULL DEFAULT gen_random_uuid();
COMMENT ON COLUMN shift_positions.public_id IS 'opaque id of the partner feed';
