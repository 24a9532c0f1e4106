-- What readers are shown that no single game tells: lists, stories, results. All of it is a function of the log and may
-- be dropped and folded again at any time; nothing here is ever read to decide.

-- One fold of a projection by one version of its code. Readers are served the live one while another is built beside it.
create table projection_build (
    id integer generated always as identity primary key,
    projection text not null,
    version integer not null,
    -- The last event that is in its rows; written with them, in one transaction.
    position bigint not null default 0,
    status text not null check (status in ('building', 'live', 'retired'))
);
create unique index projection_build_live_key on projection_build (projection) where status = 'live';
create unique index projection_build_building_key on projection_build (projection, version) where status = 'building';

-- A row is about its owner, a game or a player. `place` orders the rows of an owner; the row without one is what the
-- fold itself must know of a game to go on. `body` is JSON as it was encoded, so that two builds compare byte for byte.
create table projection_row (
    build integer not null,
    owner uuid not null,
    place bytea not null,
    -- What rows are looked up by.
    labels text[] not null,
    -- From when on, in milliseconds, the public may know of it at all; 0 for always.
    from_ms bigint not null,
    body bytea not null,
    primary key (build, owner, place)
);
create index projection_row_labels_key on projection_row using gin (labels) where labels <> '{}';

-- For people with SQL: what readers are served.
create view projection_json as
    select projection, owner, place, labels, convert_from(body, 'UTF8')::jsonb as body
    from projection_row row join projection_build build on build.id = row.build and status = 'live';

-- Unlike the log, these are the server's own to change.
revoke all on projection_build, projection_row, projection_json from public, spina_app;
grant select, insert, update, delete on projection_build, projection_row to spina_app;
grant select on projection_json to spina_app;
