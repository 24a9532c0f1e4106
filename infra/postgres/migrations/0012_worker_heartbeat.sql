-- When each worker last did all that was due, in milliseconds since 1970: any process can tell which worker has stopped.
create table worker_heartbeat (
    worker text primary key,
    at_ms bigint not null
);

create function worker_beat(worker_name text, now_ms bigint)
returns void language sql security definer set search_path = spina, pg_temp as $$
    insert into worker_heartbeat (worker, at_ms) values (worker_name, now_ms)
        on conflict (worker) do update set at_ms = excluded.at_ms
$$;

revoke all on function worker_beat from public;
grant execute on function worker_beat to spina_app;
revoke all on worker_heartbeat from public, spina_app;
grant select on worker_heartbeat to spina_app;
