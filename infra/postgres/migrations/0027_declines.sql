-- Offers that players declined: of one game, or all of the games that an account opens. Data of the account that
-- declined, gone with it: a line of the game would show all who see the game that its player read the offer.
create table declined_offer (
    account uuid not null references account on delete cascade,
    game uuid not null,
    declined_at timestamptz not null default now(),
    primary key (account, game)
);
create table declined_sender (
    account uuid not null references account on delete cascade,
    sender uuid not null,
    declined_at timestamptz not null default now(),
    primary key (account, sender)
);
revoke all on declined_offer, declined_sender from public, spina_app;
grant select, insert, delete on declined_offer, declined_sender to spina_app;
