-- A passkey is one more way into an account: its public key, by the SHA-256 of its id. It opens sessions and nothing else.
alter table token drop constraint token_kind_check;
alter table token add constraint token_kind_check check (kind in ('token', 'session', 'code', 'passkey'));
alter table token add column public_key bytea, add column sign_count bigint,
    add check ((kind = 'passkey') = (public_key is not null and sign_count is not null));

create or replace function find_login(given bytea)
returns table (id uuid, kind text, scopes text[], account uuid, name text, role text)
language sql stable security definer set search_path = spina, pg_temp as $$
    select token.id, token.kind, token.scopes, account.id, account.name, account.role
      from token join account on account.id = token.account
     where token.hash = given and token.kind in ('token', 'session') and is_live(token)
$$;

create or replace function find_manager(asking bytea) returns token
language sql stable security definer set search_path = spina, pg_temp as $$
    select * from token
     where hash = asking and kind in ('token', 'session') and 'account' = any (scopes) and is_live(token)
$$;

-- Returns whether it is stored: not where the caller may not, or has too many, or the id is known.
create function add_passkey(
    asking bytea, given bytea, given_name text, given_key bytea, given_count bigint, count_max integer
) returns boolean language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    manager token := find_manager(asking);
begin
    perform pg_advisory_xact_lock(hashtextextended(manager.account::text, 0));
    if manager.account is null
       or (select count(*) from token where account = manager.account and is_live(token)) >= count_max then
        return false;
    end if;
    insert into token (hash, account, kind, name, scopes, public_key, sign_count)
    values (given, manager.account, 'passkey', given_name, manager.scopes, given_key, given_count)
    on conflict do nothing;
    return found;
end
$$;

create function find_passkey(given bytea) returns table (public_key bytea, sign_count bigint)
language sql stable security definer set search_path = spina, pg_temp as $$
    select public_key, sign_count from token where hash = given and kind = 'passkey' and is_live(token)
$$;

-- The part of `open_session` that every way in has.
create function add_session(source token, given bytea, given_name text, days integer, count_max integer)
returns boolean language plpgsql set search_path = spina, pg_temp as $$
begin
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

create or replace function open_session(secret bytea, given bytea, given_name text, days integer, count_max integer)
returns boolean language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    source token;
begin
    update token set ends_at = now() where hash = secret and kind = 'code' and is_live(token) returning * into source;
    if not found then
        select * into source from find_manager(secret) where kind = 'token';
    end if;
    return add_session(source, given, given_name, days, count_max);
end
$$;

-- For a passkey whose signature the server has checked.
create function open_session_by_passkey(
    passkey bytea, new_count bigint, given bytea, given_name text, days integer, count_max integer
) returns boolean language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    source token;
begin
    update token set sign_count = new_count where hash = passkey and kind = 'passkey' and is_live(token)
    returning * into source;
    return add_session(source, given, given_name, days, count_max);
end
$$;

revoke all on function add_passkey, find_passkey, add_session, open_session_by_passkey from public;
grant execute on function add_passkey, find_passkey, open_session_by_passkey to spina_app;
