/** Commands that read accounts, assets and other objects of the core from one route each. */
import { textOf, type View, viewsOf } from '../gateway/gateway.js'
import type { Read } from './command.js'

export const ledgerReads: Readonly<Record<string, Read>> = {
  'alias of': {
    route: ({ names }) => names.aliasesByAccount,
    examples: ['bob@bank', 'alice@bank --key-file alice.json'],
    summary: 'Names of an account',
    more: 'With the key of the account given by --key-file, its IBANs are listed too.',
    names: { id: 'account' },
    isSignedWithKey: true,
    columns: { ALIAS: 'alias', KIND: 'kind', STANDING: 'standing', EXPIRES: 'expires_ms' },
  },
  'account list': {
    route: ({ accounts }) => accounts.accounts,
    examples: ['', '--domain bank --all --json'],
    summary: 'Accounts in the order of their addresses, optionally of one domain',
    more: 'One account with its balances: `account show`.',
    about: { domain: 'only accounts of this domain' },
    columns: {
      // Its alias has a separate column.
      ACCOUNT: ({ id }: View) => textOf(id),
      ALIAS: ({ label, domain }: View) => (typeof label === 'string' ? `${label}@${String(domain)}` : '-'),
      DOMAIN: 'domain',
    },
  },
  'asset list': {
    route: ({ assets }) => assets.definitions,
    examples: ['', '--all --json'],
    more: 'Holders of an asset: `asset holders`.',
    columns: {
      ASSET: 'id',
      SCALE: ({ scale }: View) => textOf(scale) ?? 'any',
      MINTABLE: 'mintable',
      TOTAL: 'total_quantity',
      OWNER: 'owned_by',
    },
  },
  'domain list': {
    route: ({ domains }) => domains.domains,
    examples: ['', '--all --json'],
    columns: { DOMAIN: 'id', OWNER: 'owned_by' },
  },
  'asset holders': {
    route: ({ assets }) => assets.holders,
    examples: ['eur#bank', 'eur#bank --all --json'],
    summary: 'Holders of an asset with their balances, in the order of their addresses',
    names: { id: 'asset' },
    columns: { ACCOUNT: 'account', BALANCE: 'amount' },
  },
  'tx list': {
    route: ({ explorer }) => explorer.transactions,
    examples: [
      '--limit 20',
      '--account alice@bank --outcome rejected',
      '--asset eur#bank --kind Transfer --all --json',
    ],
    more: 'One transaction: `tx show`; movements of an account: `account statement`.',
    names: { authority: 'account', definition: 'asset' },
    about: {
      authority: 'signed by this account, address or alias',
      kind: 'with an instruction of this kind, such as Transfer',
      definition: 'with a movement of this asset, name#domain',
      outcome: 'with this outcome',
      block: 'in the block of this height',
    },
    columns: {
      HEIGHT: 'height',
      TIME: 'time_ms',
      HASH: ({ hash }: View) => textOf(hash),
      OUTCOME: ({ rejection }: View) => (rejection === null ? 'approved' : `rejected [${textOf(rejection)}]`),
      SIGNER: 'authority',
    },
  },
  'nft list': {
    route: ({ nfts }) => nfts.nfts,
    examples: ['', '--owner alice@bank --json'],
    about: { owner: 'only NFTs of this account', domain: 'only NFTs of this domain' },
    columns: { NFT: 'id', OWNER: 'owned_by' },
  },
  'nft show': {
    route: ({ nfts }) => nfts.nft,
    examples: ['deed$bank', 'deed$bank --json'],
    names: { id: 'nft' },
    fields: { nft: 'id', owner: 'owned_by', content: 'content' },
  },
  'role list': {
    route: ({ permissions }) => permissions.roles,
    examples: ['', '--json'],
    columns: {
      ROLE: 'id',
      PERMISSIONS: ({ permissions }: View) => String(viewsOf(permissions).length),
      ACCOUNTS: 'members',
    },
  },
  'role show': {
    route: ({ permissions }) => permissions.role,
    examples: ['role1', 'role1 --json'],
    names: { id: 'role' },
    fields: { role: 'id', permissions: 'permissions', managers: 'managers', accounts: 'members' },
  },
  'trigger list': {
    route: ({ triggers }) => triggers.triggers,
    examples: ['', '--json'],
    columns: {
      TRIGGER: 'id',
      ENABLED: 'enabled',
      REPEATS: ({ repeats }: View) => textOf(repeats) ?? 'unlimited',
      FILTER: 'filter',
      AUTHORITY: 'authority',
    },
  },
  'trigger show': {
    route: ({ triggers }) => triggers.trigger,
    examples: ['trigger1', 'trigger1 --json'],
    names: { id: 'trigger' },
    fields: {
      trigger: 'id',
      authority: 'authority',
      filter: 'filter',
      instructions: 'instructions',
      repeats: ({ repeats }: View) => textOf(repeats) ?? 'unlimited',
      enabled: 'enabled',
      failures: 'failures',
      due: 'due_ms',
    },
  },
}
