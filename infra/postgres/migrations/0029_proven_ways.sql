-- A webhook is used once its program has answered a challenge; those of earlier releases are used as they were.
alter table notice_way add column is_proven boolean not null default true;
