-- Courses that players drew: found by their hash, listed for their account. Data of the account, gone with it; games
-- on a course hold it themselves.
create table course (
    account uuid not null references account on delete cascade,
    hash text not null check (hash ~ '^[0-9a-f]{64}$'),
    ruleset text not null,
    name text not null,
    plan bytea not null,
    kept_at timestamptz not null default now(),
    primary key (account, hash)
);
create index course_hash on course (hash);
revoke all on course from public, spina_app;
grant select, insert, delete on course to spina_app;
