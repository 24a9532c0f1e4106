-- Who may ask for what. Names and tokens are outside the log, so they can be changed and forgotten; the log holds the
-- opaque id alone.
create table account (
    id uuid primary key,
    name text not null,
    scope text not null check (scope in ('player', 'organiser', 'operator')),
    -- The SHA-256 of a token of 32 random bytes: what is stored opens nothing.
    token_hash bytea not null unique check (octet_length(token_hash) = 32),
    created_at timestamptz not null default now()
);

-- The server makes players and nothing else: organisers and operators are made by whoever owns the database.
create function add_player(player_id uuid, player_name text, player_token_hash bytea)
returns void language sql security definer set search_path = spina, pg_temp as $$
    insert into account (id, name, scope, token_hash) values (player_id, player_name, 'player', player_token_hash)
$$;

revoke all on function add_player from public;
grant execute on function add_player to spina_app;
grant select on account to spina_app;
