-- The key of this database's secrets, once its master key was turned: in a box that the newest master key opens. Until
-- then there is no row, and the master key is that key itself.
create table root_key (
    is_only boolean primary key default true check (is_only),
    sealed_box bytea not null
);
grant select on root_key to spina_app;
