-- The log of every game, and what is kept beside it. Everything a command touches has the game's id as its key, so that
-- the tables can be cut by game when one server is no longer enough.

-- Positions are drawn inside the append lock, so their order is the order of commits. Cached values would be drawn
-- earlier, by whoever holds the cache: never raise `cache`.
create sequence event_position as bigint cache 1;

-- One line of a game's log. `body` is the line as it was hashed and signed, without its newline; it is never rewritten.
-- Sixteen leaves: enough for vacuum, index builds and moves to other servers to work on a sixteenth at a time, few
-- enough that a tailing reader's empty poll (one index descent a leaf) stays in the tenths of a millisecond. The count
-- cannot change later without rewriting the table, so it is not the number of today's servers.
create table event (
    position bigint not null,
    stream uuid not null,
    version integer not null,
    type text not null,
    hash bytea not null,
    body bytea not null,
    -- The append function compares versions before it inserts; this is the guard behind it, and it raises.
    primary key (stream, version)
) partition by hash (stream);

do $$
begin
    for leaf in 0..15 loop
        execute format('create table event_%s partition of event for values with (modulus 16, remainder %s)',
                       lpad(leaf::text, 2, '0'), leaf);
    end loop;
end $$;

-- Not unique over all leaves (a unique key of a partitioned table must hold its partition key): the sequence alone
-- makes positions unique, and whoever reads by position refuses a repeat.
create index event_position_key on event (position);

-- Where each stream stands. The rows are updated in place with each append: the room left on their pages
-- keeps such an update away from the index.
create table stream (
    id uuid primary key,
    version integer not null,
    head bytea not null
) with (fillfactor = 70);

-- No check constraints on what an append writes: they are parsed again with every statement, and the one function that
-- writes has compared each value already. The tables below name streams without a foreign key: one function writes them all, and the checks of such keys, a row
-- at a time, took as long as all the rest of an append.

-- The 32 bytes a game's chance comes from, encrypted with a key that is not in the database.
create table secret (
    stream uuid primary key,
    sealed_box bytea not null
);

-- What a seal hides while it is in the server's custody, by the version of its action_sealed line, encrypted likewise.
create table held_opening (
    stream uuid not null,
    version integer not null,
    sealed_box bytea not null,
    primary key (stream, version)
);

-- The commands that were accepted, for whoever sends one again: what was sent, and the lines it became.
create table command (
    stream uuid not null,
    id uuid not null,
    body_hash bytea not null,
    first_version integer not null,
    last_version integer not null,
    head bytea not null,
    primary key (stream, id)
);

-- The decks, tracks and tables a stored game was opened with, under the name its first line gives them.
create table components (
    hash bytea primary key check (hash = sha256(body)),
    ruleset text not null,
    version integer not null,
    body bytea not null
);

-- For people with SQL. Postgres normalises jsonb, so nothing that is hashed is ever taken from here.
create view event_json as
    select position, stream, version, type, encode(hash, 'hex') as hash, convert_from(body, 'UTF8')::jsonb as line
    from event;
