-- Why the last attempt on a way failed, for its owner.
alter table notice_way add column failing_reason text;
