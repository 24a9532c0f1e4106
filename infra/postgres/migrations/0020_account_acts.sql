-- The acts of operators on players' accounts, for ever. No row has a name: a player may have it forgotten.
create table account_act (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    account uuid not null,
    act text not null check (act in ('renamed', 'muted', 'unmuted', 'closed')),
    by text not null,
    reason text not null
);
create trigger refuse_change before update or delete on account_act for each row execute function refuse_change();
create trigger refuse_truncate before truncate on account_act for each statement execute function refuse_change();
alter table account_act enable always trigger refuse_change;
alter table account_act enable always trigger refuse_truncate;
revoke all on account_act from public, spina_app;

-- A muted account cannot change its name.
alter table account add column is_muted boolean not null default false;

-- Returns the name with its number; null for an account that is no player's.
create function name_player(named uuid, player_name text, player_name_key text) returns text
language plpgsql set search_path = spina, pg_temp as $$
declare
    shown text;
begin
    perform pg_advisory_xact_lock(hashtextextended(player_name_key, 0));
    update account
       set name = player_name || case when number > 1 then ' #' || number else '' end,
           name_key = player_name_key, name_number = number
      from (select coalesce(max(name_number) filter (where id = named), max(name_number) + 1, 1) as number
              from account where name_key = player_name_key) next
     where id = named and role = 'player'
    returning name into shown;
    return shown;
end
$$;

-- Returns the name as it is shown from now on; null for a caller that is no player, or is muted.
create or replace function rename_player(asking bytea, player_name text, player_name_key text) returns text
language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    manager token := find_manager(asking);
begin
    perform from account where id = manager.account and not is_muted for no key update;
    return case when found then name_player(manager.account, player_name, player_name_key) end;
end
$$;

revoke all on function name_player from public;
