-- Names of players that look alike are told apart by a number: the second "Ada" is "Ada #2". What looks alike, the
-- server's code says (domain/names.py); the accounts made before are told apart by their letters alone.
alter table account add column name_key text, add column name_number integer;
update account set name_key = numbered.key, name_number = numbered.number
  from (select id, lower(name) as key, row_number() over (partition by lower(name) order by created_at, id) as number
          from account where scope = 'player') numbered
 where account.id = numbered.id;
create unique index account_name_key on account (name_key, name_number) where name_key is not null;

drop function add_player;
create function add_player(player_id uuid, player_name text, player_name_key text, player_token_hash bytea)
returns void language sql security definer set search_path = spina, pg_temp as $$
    -- Two of one name at once: the second waits, and then sees the first.
    select pg_advisory_xact_lock(hashtextextended(player_name_key, 0));
    insert into account (id, name, scope, token_hash, name_key, name_number)
    select player_id, player_name || case when number > 1 then ' #' || number else '' end, 'player', player_token_hash,
           player_name_key, number
      from (select coalesce(max(name_number), 0) + 1 as number from account where name_key = player_name_key) next
$$;
revoke all on function add_player from public;
grant execute on function add_player to spina_app;
