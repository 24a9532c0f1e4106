-- A notice that holds no more leaves its way as it is: only a delivery shows that the way works.
create or replace function settle_notice(settled_way uuid, settled_id uuid) returns void
language plpgsql set search_path = spina, pg_temp as $$
begin
    -- First the way: a notice that is added meanwhile is seen by the last statement, or sets the time after it.
    perform from notice_way where id = settled_way for no key update;
    delete from notice where way = settled_way and id = settled_id;
    update notice_way
       set due_ms = case when exists (select from notice where way = settled_way) then due_ms end
     where id = settled_way;
end
$$;
