-- Ends that no restore may undo: of secrets, by their hashes, of accounts, names and ways of notice, by their ids. Each
-- process copies them into a file beside the key; infra/postgres/ends.py has the kinds.
create table ended (
    kind text not null,
    key text not null,
    at_us bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint,
    primary key (kind, key, at_us)
);
create index ended_at on ended (at_us);
create trigger refuse_change before update or delete on ended for each row execute function refuse_change();
create trigger refuse_truncate before truncate on ended for each statement execute function refuse_change();
revoke all on ended from public, spina_app;
grant select on ended to spina_app;

create function note_end() returns trigger
language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    if tg_argv[0] = 'token' then
        insert into ended (kind, key) values ('token', encode(old.hash, 'hex')) on conflict do nothing;
    else
        insert into ended (kind, key) values (tg_argv[0], old.id::text) on conflict do nothing;
    end if;
    return null;
end
$$;
revoke all on function note_end from public;

-- A token that runs out by itself ends in every copy of the database.
create trigger note_end after update of ends_at on token for each row
    when (new.ends_at <= now() and (old.ends_at is null or old.ends_at > new.ends_at))
    execute function note_end('token');
create trigger note_end after delete on account for each row execute function note_end('account');
create trigger note_mute after update of is_muted on account for each row
    when (new.is_muted and not old.is_muted) execute function note_end('muted');
create trigger note_unmute after update of is_muted on account for each row
    when (old.is_muted and not new.is_muted) execute function note_end('unmuted');
create trigger note_end after delete on notice_way for each row execute function note_end('way');
create trigger note_stop after update of sealed_box on notice_way for each row
    when (new.sealed_box is null and old.sealed_box is not null) execute function note_end('way');
