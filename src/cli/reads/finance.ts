/** Commands that read lots, agreements and calendars from one route each. */
import { textOf, type View, viewOf } from '../gateway/gateway.js'
import { statusText } from '../repo/show.js'
import { LOT_COLUMNS } from '../rwa/forms.js'
import { termsText } from '../subscription/plan.js'
import { statusText as subscriptionStatus } from '../subscription/show.js'
import type { Read } from './command.js'
import { incomeAssets, planAssets } from './list-assets.js'

export const financeReads: Readonly<Record<string, Read>> = {
  'repo calendar show': {
    route: ({ repo }) => repo.calendar,
    examples: ['demo'],
    names: { name: 'calendar' },
    about: { name: 'name of the calendar' },
  },
  'repo list': {
    route: ({ repo }) => repo.agreements,
    examples: ['--party alice@bank', '--status open --json'],
    about: {
      reference: 'only agreements with this reference',
      party: 'only agreements of this seller, buyer or custodian: address or alias',
      status: 'only agreements with this status',
    },
    columns: { REFERENCE: 'reference', STATUS: statusText, SELLER: 'seller', BUYER: 'buyer', ID: 'id' },
  },
  'repo prices': {
    route: ({ repo }) => repo.prices,
    examples: ['--poster bob@bank'],
    names: { definition: 'asset' },
    about: {
      poster: 'only prices of this account: address or alias',
      definition: 'only prices of this asset definition',
    },
    columns: { POSTER: 'poster', ASSET: 'definition', PRICE: 'price', CASH: 'cash', AT: 'at_ms' },
  },
  'rwa class list': {
    route: ({ rwas }) => rwas.classes,
    examples: [''],
    columns: {
      CLASS: 'id',
      UNIT: 'unit',
      QUANTITY: 'total_quantity',
      LOTS: 'lots',
      HOLDERS: 'holders',
      PAUSED: 'paused',
    },
  },
  'rwa class show': {
    route: ({ rwas }) => rwas.class,
    examples: ['gold#bank'],
    names: { id: 'class' },
    about: { id: 'class, name#domain' },
  },
  'rwa holder list': {
    route: ({ rwas }) => rwas.holders,
    examples: ['gold#bank'],
    names: { id: 'class' },
    about: { id: 'class, name#domain' },
    columns: {
      ACCOUNT: 'account',
      LOTS: 'lots',
      ELIGIBLE: 'eligible',
      UNTIL: 'eligible_until_ms',
      OWED: 'owed',
      ASSET: 'asset',
    },
    assets: ({ params = {} }) => incomeAssets(String(params['id'])),
  },
  'rwa list': {
    route: ({ rwas }) => rwas.lots,
    examples: ['--class gold#bank', '--holder alice@bank --json'],
    about: {
      class: 'only lots of this class',
      holder: 'only lots of this account, including those that vaults hold for it',
      reference: 'only lots with this reference',
      frozen: 'only frozen lots; --no-frozen: only others',
    },
    columns: LOT_COLUMNS,
  },
  'subscription list': {
    route: ({ subscriptions }) => subscriptions.list,
    examples: ['--account carol@bank', '--provider bob@bank --status past_due --json'],
    names: { owned_by: 'account' },
    about: {
      provider: 'only subscriptions to plans of this account: address or alias',
      owned_by: 'only subscriptions of this subscriber: address or alias',
      status: 'only subscriptions with this status',
    },
    columns: {
      ID: 'id',
      PROVIDER: 'provider',
      PLAN: 'plan',
      SUBSCRIBER: 'subscriber',
      STATUS: ({ status }: View) => subscriptionStatus(textOf(status)),
      'NEXT CHARGE': 'due_ms',
      CREDIT: 'credit',
      PAID: 'spent',
      ASSET: 'asset',
    },
    assets: () => planAssets,
  },
  'subscription plan list': {
    route: ({ subscriptions }) => subscriptions.plans,
    examples: ['', '--provider bob@bank --json'],
    about: { provider: 'only plans of this account: address or alias', plan: 'only the plan with this name' },
    columns: {
      PROVIDER: 'provider',
      PLAN: 'plan',
      OPEN: 'is_open',
      TERMS: ({ terms }: View) => termsText(viewOf(terms)),
    },
  },
}
