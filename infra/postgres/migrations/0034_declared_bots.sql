-- Accounts of programs: declared in the transaction that makes them, so before their first game, and for ever. Their
-- names end in "(bot)" wherever a name is shown; no other player may choose such a name (domain/names.py).
alter table account add column is_bot boolean not null default false;
create trigger keep_declaration before update of is_bot on account for each row
    when (old.is_bot and not new.is_bot) execute function refuse_change();

-- Returns the name with its number; null for an account that is no player's.
create or replace function name_player(named uuid, player_name text, player_name_key text) returns text
language plpgsql set search_path = spina, pg_temp as $$
declare
    declared boolean := coalesce((select is_bot from account where id = named), false);
    full_name text := player_name || case when declared then ' (bot)' else '' end;
    full_key text := player_name_key || case when declared then 'bot' else '' end;
    shown text;
begin
    perform pg_advisory_xact_lock(hashtextextended(full_key, 0));
    update account
       set name = full_name || case when number > 1 then ' #' || number else '' end,
           name_key = full_key, name_number = number
      from (select coalesce(max(name_number) filter (where id = named), max(name_number) + 1, 1) as number
              from account where name_key = full_key) next
     where id = named and role = 'player'
    returning name into shown;
    return shown;
end
$$;

create function declare_bot(player_id uuid, player_name text, player_name_key text) returns void
language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    update account set is_bot = true where id = player_id and created_at = now();
    if not found then
        raise 'expected an account of this transaction, found another' using errcode = 'invalid_parameter_value';
    end if;
    perform name_player(player_id, player_name, player_name_key);
end
$$;
revoke all on function declare_bot from public;
grant execute on function declare_bot to spina_app;
