-- Accounts that may rule, and tokens that operators renew or revoke, are on the record too.
alter table account_act drop constraint account_act_act_check;
alter table account_act add constraint account_act_act_check
    check (act in ('created', 'renewed', 'revoked', 'renamed', 'muted', 'unmuted', 'closed'));
