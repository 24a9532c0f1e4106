-- The secrets by which an account is opened: tokens of programs, sessions of browsers, and codes, each good for one
-- session. A secret is stored as its SHA-256, so that a copy of this table opens nothing. To revoke one is to end it now.
create table token (
    hash bytea primary key check (octet_length(hash) = 32),
    id uuid not null unique default gen_random_uuid(),
    account uuid not null,
    kind text not null check (kind in ('token', 'session', 'code')),
    name text not null,
    scopes text[] not null check (scopes <@ array['read', 'play', 'organise', 'account']),
    created_at timestamptz not null default now(),
    ends_at timestamptz
);
create index token_account on token (account);
create index token_ends_at on token (ends_at) where ends_at is not null;

-- The scopes of a token of tokens; the scope of an account, of which it has one for ever, is its role.
alter table account rename column scope to role;
create function list_scopes(role text) returns text[] language sql immutable as $$
    select array['read', case role when 'player' then 'play' else 'organise' end, 'account']
$$;
insert into token (hash, account, kind, name, scopes, created_at)
select token_hash, id, 'token', 'First token', list_scopes(role), created_at from account;
alter table account drop column token_hash;

create function is_live(one token) returns boolean language sql stable as $$
    select one.ends_at is null or one.ends_at > now()
$$;

drop function add_player;
create function add_player(
    player_id uuid, player_name text, player_name_key text, given bytea, given_kind text, given_name text, days integer
) returns void language sql security definer set search_path = spina, pg_temp as $$
    -- Two of one name at once: the second waits, and then sees the first.
    select pg_advisory_xact_lock(hashtextextended(player_name_key, 0));
    insert into account (id, name, role, name_key, name_number)
    select player_id, player_name || case when number > 1 then ' #' || number else '' end, 'player', player_name_key,
           number
      from (select coalesce(max(name_number), 0) + 1 as number from account where name_key = player_name_key) next;
    insert into token (hash, account, kind, name, scopes, ends_at)
    values (given, player_id, given_kind, given_name, list_scopes('player'), now() + days * interval '1 day')
$$;

create function find_login(given bytea)
returns table (id uuid, kind text, scopes text[], account uuid, name text, role text)
language sql stable security definer set search_path = spina, pg_temp as $$
    select token.id, token.kind, token.scopes, account.id, account.name, account.role
      from token join account on account.id = token.account
     where token.hash = given and token.kind <> 'code' and is_live(token)
$$;

-- The functions below act for the holder of a live secret with the scope `account`, named by its hash: the server's
-- role can read no hashes, and so acts for nobody who has not just asked it to.
create function find_manager(asking bytea) returns token
language sql stable security definer set search_path = spina, pg_temp as $$
    select * from token where hash = asking and kind <> 'code' and 'account' = any (scopes) and is_live(token)
$$;

create function list_tokens(asking bytea)
returns table (id uuid, kind text, name text, scopes text[], created_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = spina, pg_temp as $$
    select token.id, token.kind, token.name, token.scopes, token.created_at, token.ends_at
      from token, find_manager(asking) manager
     where token.account = manager.account and is_live(token)
     order by token.created_at, token.id
$$;

-- Returns the new one's id; null where the caller may not, or has too many.
create function add_token(
    asking bytea, given bytea, given_kind text, given_name text, given_scopes text[], minutes integer, count_max integer
) returns uuid language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    manager token := find_manager(asking);
    added uuid;
begin
    if manager.account is null or not given_scopes <@ manager.scopes then
        return null;
    end if;
    -- One after the other for an account: two at once would both find room for one.
    perform pg_advisory_xact_lock(hashtextextended(manager.account::text, 0));
    if (select count(*) from token where account = manager.account and is_live(token)) >= count_max then
        return null;
    end if;
    -- One recovery code, the code without an end, at a time.
    if given_kind = 'code' and minutes is null then
        update token set ends_at = now() where account = manager.account and kind = 'code' and ends_at is null;
    end if;
    -- Every process has noticed an end long before.
    delete from token where ends_at < now() - interval '1 day';
    insert into token (hash, account, kind, name, scopes, ends_at)
    values (given, manager.account, given_kind, given_name, given_scopes, now() + minutes * interval '1 minute')
    returning id into added;
    return added;
end
$$;

-- Ends the named ones of the caller's account, or all but the caller's own; returns the count.
create function end_tokens(asking bytea, named uuid[]) returns integer
language sql security definer set search_path = spina, pg_temp as $$
    with ended as (
        update token set ends_at = now()
          from find_manager(asking) manager
         where token.account = manager.account and is_live(token)
           and (token.id = any (named) or named is null and token.hash <> asking)
        returning 1
    )
    select count(*)::integer from ended
$$;

-- Opens a session by a code, which is used up, or by a token with the scope `account`. Returns whether it did.
create function open_session(secret bytea, given bytea, given_name text, days integer, count_max integer)
returns boolean language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    source token;
begin
    update token set ends_at = now() where hash = secret and kind = 'code' and is_live(token) returning * into source;
    if not found then
        select * into source from find_manager(secret) where kind = 'token';
    end if;
    if source.account is null then
        return false;
    end if;
    insert into token (hash, account, kind, name, scopes, ends_at)
    values (given, source.account, 'session', given_name, source.scopes, now() + days * interval '1 day');
    -- Those of browsers that were given away would stay for ever otherwise.
    update token set ends_at = now()
     where id in (select id from token where account = source.account and kind = 'session' and is_live(token)
                   order by ends_at desc, id offset count_max);
    return true;
end
$$;

-- A session lasts as long as it is used now and then.
create function renew_session(asking bytea, days integer) returns void
language sql security definer set search_path = spina, pg_temp as $$
    update token set ends_at = now() + days * interval '1 day'
     where hash = asking and kind = 'session' and is_live(token) and ends_at < now() + (days - 1) * interval '1 day'
$$;

create function end_session(asking bytea) returns void
language sql security definer set search_path = spina, pg_temp as $$
    update token set ends_at = now() where hash = asking and kind = 'session' and is_live(token)
$$;

-- Returns the name as it is shown from now on; null for a caller that is no player.
create function rename_player(asking bytea, player_name text, player_name_key text) returns text
language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    manager token := find_manager(asking);
    shown text;
begin
    perform pg_advisory_xact_lock(hashtextextended(player_name_key, 0));
    update account
       set name = player_name || case when number > 1 then ' #' || number else '' end,
           name_key = player_name_key, name_number = number
      from (select coalesce(max(name_number) filter (where id = manager.account),
                            max(name_number) + 1, 1) as number
              from account where name_key = player_name_key) next
     where id = manager.account and role = 'player'
    returning name into shown;
    return shown;
end
$$;

-- Deletes the name and all that opens the account. Its id stays in logs, which are never changed.
create function forget_account(asking bytea) returns boolean
language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    manager token := find_manager(asking);
begin
    update token set ends_at = least(ends_at, now()), name = '' where account = manager.account;
    delete from account where id = manager.account;
    return found;
end
$$;

revoke all on function list_scopes, is_live, add_player, find_login, find_manager, list_tokens, add_token, end_tokens,
    open_session, renew_session, end_session, rename_player, forget_account from public;
grant execute on function add_player, find_login, list_tokens, add_token, end_tokens, open_session, renew_session,
    end_session, rename_player, forget_account to spina_app;
-- For each process to notice what has ended, and which organisers still have a token.
grant select (id, account, ends_at) on token to spina_app;
