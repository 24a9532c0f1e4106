-- Append-only is the database's rule. It binds the owner as well, and a session in replica mode (`enable always`).
-- What an owner can still do is take these triggers away or drop a table; the published ledger shows that.

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% of %.% is refused: the log is append-only', tg_op, tg_table_schema, tg_table_name
        using errcode = 'restrict_violation';
end $$;

-- A row trigger of the parent is not asked when a leaf is truncated, and one of a statement on the parent is not asked
-- when a leaf is named: so each leaf has its own.
do $$
declare
    leaf regclass;
begin
    for leaf in
        select inhrelid::regclass from pg_inherits where inhparent = 'event'::regclass
        union all
        select unnest(array['secret', 'held_opening', 'command', 'components']::regclass[])
    loop
        execute format('create trigger refuse_change before update or delete on %s '
                       'for each row execute function refuse_change()', leaf);
        execute format('create trigger refuse_truncate before truncate on %s '
                       'for each statement execute function refuse_change()', leaf);
        execute format('alter table %s enable always trigger refuse_change', leaf);
        execute format('alter table %s enable always trigger refuse_truncate', leaf);
    end loop;
end $$;

create trigger refuse_truncate before truncate on event for each statement execute function refuse_change();
alter table event enable always trigger refuse_truncate;

-- A stream's row is updated by each append, and no trigger asks who does it: the condition of one is parsed again with
-- every append, a tenth of its time. An owner who moves the row by hand changes nothing that was said: the next append
-- fits no more, neither its version and head here nor, were they moved back, the key of the event table.
create trigger refuse_delete before delete on stream for each row execute function refuse_change();
create trigger refuse_truncate before truncate on stream for each statement execute function refuse_change();
alter table stream enable always trigger refuse_delete;
alter table stream enable always trigger refuse_truncate;
