-- The token or session that added a way: who closes a browser that was stolen ends what it added as well.
alter table notice_way add column added_by uuid;

-- Ends the named tokens of the caller's account with the ways of notice that they added, or all but the caller's own;
-- returns the count of tokens.
create or replace function end_tokens(asking bytea, named uuid[]) returns integer
language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    manager token := find_manager(asking);
    count integer;
begin
    -- A way that a token adds meanwhile waits for this lock, and is refused.
    perform pg_advisory_xact_lock(hashtextextended(manager.account::text, 0));
    update token set ends_at = now()
     where account = manager.account and is_live(token) and (id = any (named) or named is null and hash <> asking);
    get diagnostics count = row_count;
    delete from notice_way
     where account = manager.account
       and (added_by = any (named) or named is null and added_by is distinct from manager.id);
    return count;
end
$$;
