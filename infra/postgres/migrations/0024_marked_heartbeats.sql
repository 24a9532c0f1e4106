-- A heartbeat has a mark by a key that the database does not know: a stolen login of the server's role cannot act alive.
alter table worker_heartbeat add column mark bytea;

drop function worker_beat;
create function worker_beat(worker_name text, now_ms bigint, given_mark bytea)
returns void language sql security definer set search_path = spina, pg_temp as $$
    insert into worker_heartbeat (worker, at_ms, mark) values (worker_name, now_ms, given_mark)
        on conflict (worker) do update set at_ms = excluded.at_ms, mark = excluded.mark
$$;
revoke all on function worker_beat from public;
grant execute on function worker_beat to spina_app;
