-- The role the server works as. It may read, and call the three functions that write; nothing else writes.

-- Roles belong to the whole server, not to this database: another one may make it at the same moment, or long before.
do $$
begin
    if not exists (select from pg_roles where rolname = 'spina_app') then
        create role spina_app nologin;
    end if;
exception when duplicate_object or unique_violation then
    null;
end $$;

-- An owner that is no superuser must be a member to hand connections over to it (`set role`).
do $$
begin
    if not pg_has_role(current_user, 'spina_app', 'set') then
        execute format('grant spina_app to %I', current_user);
    end if;
exception when unique_violation then
    null;
end $$;

revoke all on schema spina from public;
revoke all on all tables in schema spina from public;
revoke all on all sequences in schema spina from public;
revoke all on all functions in schema spina from public;
-- An embedded server's role may own rights from elsewhere; here it starts from none.
revoke all on all tables in schema spina from spina_app;
revoke all on all sequences in schema spina from spina_app;

grant usage on schema spina to spina_app;
grant select on event, stream, secret, held_opening, command, components, event_json to spina_app;
grant execute on function append_one, append_batch, save_components to spina_app;
-- Asked by health checks: what this database has been given.
grant select on migration to spina_app;
