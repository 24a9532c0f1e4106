-- Ways by which accounts are given notice, and the notices that wait for each of them, deleted once they were delivered.
create table notice_way (
    id uuid primary key,
    account uuid not null references account on delete cascade,
    kind text not null,
    name text not null,
    -- The address and its keys; null once the way has ended.
    sealed_box bytea check ((sealed_box is null) = (end_reason is not null)),
    kinds text[] not null,
    quiet text,
    created_at timestamptz not null default now(),
    -- The end of the log as the way was added: what happened before is not told.
    added_position bigint not null,
    -- When the first waiting notice is due; null while none waits.
    due_ms bigint,
    failures integer not null default 0,
    failing_since_ms bigint,
    end_reason text
);
create index notice_way_account_key on notice_way (account);
create index notice_way_due_key on notice_way (due_ms) where due_ms is not null;

create table notice (
    way uuid not null references notice_way on delete cascade,
    id uuid not null,
    kind text not null,
    stream uuid not null,
    -- The decision, the round or the line: a notice is of this one alone.
    fact text not null default '',
    version bigint not null,
    position bigint not null,
    at_ms bigint not null,
    primary key (way, id)
);
create index notice_order_key on notice (way, position, version, id);

-- How far the log has been read for notices.
create table notifier (
    is_only boolean primary key default true check (is_only),
    position bigint not null
);
insert into notifier (position) select coalesce(max(position), 0) from event;

-- The way is locked first: a notice that is added meanwhile is seen by the last statement, or sets the time after it.
create function settle_notice(settled_way uuid, settled_id uuid) returns void
language plpgsql set search_path = spina, pg_temp as $$
begin
    perform from notice_way where id = settled_way for no key update;
    delete from notice where way = settled_way and id = settled_id;
    update notice_way
       set failures = 0, failing_since_ms = null,
           due_ms = case when exists (select from notice where way = settled_way) then due_ms end
     where id = settled_way;
end
$$;

-- The notifier acts in the session that holds its lock: infra/postgres/worker_signs.py has the number.
create trigger require_lock before update on notifier
    for each statement execute function require_lock('5785247042120');

revoke all on function settle_notice from public;
grant execute on function settle_notice to spina_app;
revoke all on notice_way, notice, notifier from public, spina_app;
grant select, insert, update, delete on notice_way, notice to spina_app;
grant select, update (position) on notifier to spina_app;
