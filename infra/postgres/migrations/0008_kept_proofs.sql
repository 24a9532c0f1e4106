-- The proofs that a finished game is handed out with. The first ones stay: whoever asks, wherever and whenever, gets the
-- same bytes.
create table kept_proof (
    stream uuid primary key,
    -- Of the game's last line.
    version integer not null,
    last_proof text not null,
    -- Null where nobody ever sat down.
    first_seat_proof text,
    -- What the operator said of keys and witnesses on that day.
    policy text not null
);

-- How far the ledger has been looked through for games that ended, and for openings that someone waits to see proven.
create table kept_proof_progress (
    is_only boolean primary key default true check (is_only),
    index bigint not null
);
insert into kept_proof_progress (index) values (0);

create trigger refuse_change before update or delete on kept_proof for each row execute function refuse_change();
alter table kept_proof enable always trigger refuse_change;
create trigger refuse_truncate before truncate on kept_proof for each statement execute function refuse_change();
alter table kept_proof enable always trigger refuse_truncate;
create trigger refuse_delete before delete on kept_proof_progress for each row execute function refuse_change();
alter table kept_proof_progress enable always trigger refuse_delete;
create trigger refuse_truncate before truncate on kept_proof_progress
    for each statement execute function refuse_change();
alter table kept_proof_progress enable always trigger refuse_truncate;

create function keep_proof(
    game uuid, last_version integer, proof_of_last text, proof_of_first_seat text, policy_text text
) returns void language sql security definer set search_path = spina, pg_temp as $$
    insert into kept_proof (stream, version, last_proof, first_seat_proof, policy)
    values (game, last_version, proof_of_last, proof_of_first_seat, policy_text) on conflict do nothing
$$;

-- Everything before the index has been seen to. Two that are at it at once do the same; the one behind moves nothing.
create function pass_ledger(new_index bigint)
returns void language sql security definer set search_path = spina, pg_temp as $$
    update kept_proof_progress set index = new_index where index < new_index
$$;

revoke all on function keep_proof, pass_ledger from public;
grant execute on function keep_proof, pass_ledger to spina_app;
revoke all on kept_proof, kept_proof_progress from public, spina_app;
grant select on kept_proof, kept_proof_progress to spina_app;
