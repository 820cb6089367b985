-- migrate:up
CREATE TABLE visit_notes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  visit_id bigint NOT NULL,
  note text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX visit_notes_visit_id_idx ON visit_notes (visit_id);

-- migrate:down
DROP TABLE visit_notes;
