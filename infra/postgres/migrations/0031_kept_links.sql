-- The links of seats and entries in the server's custody, sealed: a player who signs in elsewhere plays on. Data of the
-- account, gone with it.
create table kept_links (
    account uuid not null references account on delete cascade,
    stream uuid not null,
    sealed_box bytea not null,
    kept_at timestamptz not null default now(),
    primary key (account, stream)
);
revoke all on kept_links from public, spina_app;
grant select, insert, delete on kept_links to spina_app;
