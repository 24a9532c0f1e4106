-- A notice that holds no more leaves its way as it is: only a delivery shows that the way works. One that still has
-- notices is due behind the ways that waited meanwhile.
drop function settle_notice;
create function settle_notice(settled_way uuid, settled_id uuid, now_ms bigint) returns void
language plpgsql set search_path = spina, pg_temp as $$
begin
    -- First the way: a notice that is added meanwhile is seen by the last statement, or sets the time after it.
    perform from notice_way where id = settled_way for no key update;
    delete from notice where way = settled_way and id = settled_id;
    update notice_way
       set due_ms = case when exists (select from notice where way = settled_way) then now_ms end
     where id = settled_way;
end
$$;
revoke all on function settle_notice from public;
grant execute on function settle_notice to spina_app;
