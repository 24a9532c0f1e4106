-- Makes the owner of the schema and the login of the server, once, as the superuser of a new database server. Passwords
-- come from files: they stand neither here nor in an environment.

do $$
begin
    if not exists (select from pg_roles where rolname = 'spina_app') then
        create role spina_app nologin;
    end if;
    execute format('create role spina_schema_owner login password %L',
                   rtrim(pg_read_file('/run/secrets/owner_password'), E'\n'));
    execute format('create role spina_server login password %L',
                   rtrim(pg_read_file('/run/secrets/server_password'), E'\n'));
    -- The app's role reads, and calls the functions that write; the server has no other right.
    grant spina_app to spina_server;
    -- The owner may act as the app.
    grant spina_app to spina_schema_owner;
    execute format('alter database %I owner to spina_schema_owner', current_database());
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to spina_server', current_database());
end $$;
