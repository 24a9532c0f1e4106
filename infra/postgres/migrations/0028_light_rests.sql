-- A mail without a deadline lets its way rest for others of its kind alone: a notice with a deadline ends such a rest.
alter table notice_way add column is_light_rest boolean not null default false;
