CREATE TABLE public.practices (
    id bigint NOT NULL,
    name character varying NOT NULL,
    phone character varying NOT NULL,
    fax_number character varying,
    postcode character varying,
    created_at timestamp(6) without time zone NOT NULL,
    updated_at timestamp(6) without time zone NOT NULL
);
ALTER TABLE ONLY public.practices ADD CONSTRAINT practices_pkey PRIMARY KEY (id);
INSERT INTO "schema_migrations" (version) VALUES ('20260414101500');
