-- A page of a list is read in its order, however long the list is: labels are one text, so that an index can have them
-- before the owner, and each of the few label texts that fit is read from where the page begins.
drop view projection_json;
drop index projection_row_labels_key;
alter table projection_row alter column labels type text using array_to_string(labels, ' ');
create index projection_row_list_key on projection_row (build, labels, owner) where place = '' and labels <> '';
-- What the public may not know of yet is little, among very many rows of one owner.
create index projection_row_hidden_key on projection_row (build, owner, place) where place <> '' and from_ms > 0;

create view projection_json as
    select projection, owner, place, string_to_array(labels, ' ') as labels, convert_from(body, 'UTF8')::jsonb as body
    from projection_row row join projection_build build on build.id = row.build and status = 'live';
revoke all on projection_json from public, spina_app;
grant select on projection_json to spina_app;
