CREATE EXTENSION IF NOT EXISTS btree_gist;

ALTER TABLE claims ADD CONSTRAINT claims_overlap
    EXCLUDE USING gist (workspace_id WITH =, host_id WITH =, int8range(from_at, until_at) WITH &&);
