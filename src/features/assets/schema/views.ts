/** Owns input and view records of asset definitions, balances and controls. */

import { accountCursor, assetCursor } from '../../../api/cursors.js'
import { PAGE_LIMIT_MAX, type Page, pageOf, pageOfFields } from '../../../api/paging.js'
import { pageQueryFields, pageQueryOf } from '../../../api/query-inputs.js'
import {
  bool,
  type Infer,
  list,
  numeric,
  option,
  type Schema,
  string,
  struct,
  u8,
  varint,
} from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  controlLimits,
  controlWindow,
  domainId,
  metadata,
  name,
  storedMintable,
} from '../../../model/index.js'

export interface DefinitionView extends Infer<typeof definitionView> {}
export const definitionView = struct('AssetDefinitionView', {
  id: assetDefinitionId,
  name,
  ownedBy: accountId,
  scale: option(u8),
  mintable: storedMintable,
  totalQuantity: numeric,
  metadata,
})

export const definitionPage: Schema<Page<DefinitionView>> = pageOf('AssetDefinitionPage', definitionView)

export const definitionsInput = pageQueryOf('AssetDefinitionsQuery', assetDefinitionId)

/** Balance of one account in one definition. */
export interface AssetView extends Infer<typeof assetView_> {}
const assetView_ = struct('AssetView', { definition: assetDefinitionId, account: accountId, amount: numeric })
export const assetPage: Schema<Page<AssetView>> = pageOf('AssetPage', assetView_)

export interface AssetsQuery extends Infer<typeof assetsQuery> {}
export const assetsQuery = struct('AssetsQuery', {
  ...pageQueryFields(assetCursor),
  definition: option(assetDefinitionId),
  account: option(accountId),
})

/** Outgoing amount in the current window of each cap, and the remaining amount. */
const controlUsages_ = list(struct('ControlUsageView', { window: controlWindow, spent: numeric, left: numeric }), 3)
export interface ControlView extends Infer<typeof controlView> {}
export const controlView = struct('ControlView', {
  definition: assetDefinitionId,
  account: accountId,
  frozen: bool,
  blacklisted: bool,
  limits: controlLimits,
  usage: controlUsages_,
})

/** Balance in a portfolio. */
const position_ = struct('PortfolioPosition', {
  definition: assetDefinitionId,
  name,
  /** Decimal places of its amounts; absent: any. */
  scale: option(u8),
  amount: numeric,
  /** Total supply of the definition. */
  totalQuantity: numeric,
  frozen: bool,
  blacklisted: bool,
  usage: controlUsages_,
})
/** Balances of an account, ordered by definition. */
export interface Portfolio extends Infer<typeof portfolio> {}
export const portfolio = struct('Portfolio', {
  account: accountId,
  domain: domainId,
  label: option(name),
  ...pageOfFields(position_, PAGE_LIMIT_MAX),
})

export interface PortfolioQuery extends Infer<typeof portfolioQuery> {}
export const portfolioQuery = struct('PortfolioQuery', { ...pageQueryFields(assetCursor), account: accountId })

export const controlPage = pageOf('ControlPage', controlView)

export interface ControlQuery extends Infer<typeof controlQuery> {}
export const controlQuery = struct('ControlQuery', { definition: assetDefinitionId, account: accountId })

export interface ControlsQuery extends Infer<typeof controlsQuery> {}
export const controlsQuery = struct('ControlsQuery', {
  definition: assetDefinitionId,
  ...pageQueryFields(accountCursor),
})

export interface ControlCheckQuery extends Infer<typeof controlCheckQuery> {}
/** Query whether the current state would refuse a transfer. */
export const controlCheckQuery = struct('ControlCheckQuery', {
  definition: assetDefinitionId,
  account: accountId,
  to: accountId,
  amount: numeric,
})

export interface ControlCheck extends Infer<typeof controlCheck> {}
export const controlCheck = struct('ControlCheck', {
  allowed: bool,
  /** Error code of the rejection. */
  code: option(string(64)),
  message: option(string(1024)),
  height: varint,
})
