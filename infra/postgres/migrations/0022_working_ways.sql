-- Why the last attempt on a way failed, for its owner.
alter table notice_way add column failing_reason text;
-- A way that took a notice before is served apart from those that never did, so that these hold it up in no number.
alter table notice_way add column has_worked boolean not null default false;
