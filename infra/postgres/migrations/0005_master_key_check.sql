-- A known text in a box closed with the master key this database was first served with: any other key is refused at
-- start, before it could close a secret that the first one cannot open.
create table master_key_check (
    -- One row for ever; a second one would be a second key.
    is_only boolean primary key default true check (is_only),
    sealed_box bytea not null
);

-- Another key for the secrets that are here would be the loss of them.
create trigger refuse_change before update or delete on master_key_check
    for each row execute function refuse_change();
create trigger refuse_truncate before truncate on master_key_check
    for each statement execute function refuse_change();
alter table master_key_check enable always trigger refuse_change;
alter table master_key_check enable always trigger refuse_truncate;

grant select on master_key_check to spina_app;
