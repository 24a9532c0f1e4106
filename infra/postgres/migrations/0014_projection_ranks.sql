-- Lists are read by time: ids of games are chosen by clients and have no order. `rank` is a text that projections make of
-- it, without letters of any language, so that every database orders it alike; rows that give none are ranked by id.
alter table projection_row add column rank text collate "C" not null default '';
update projection_row set rank = case when place = '' then owner::text else encode(place, 'hex') end;
drop index projection_row_list_key;
create index projection_row_list_key on projection_row (build, labels, rank) where place = '' and labels <> '';
create index projection_row_places_key on projection_row (build, owner, rank) where place <> '';
