/** Owns input and view records of asset definitions, balances and controls. */

import { accountCursor, assetCursor } from '../../../api/cursors.js'
import { type Page, pageOf } from '../../../api/paging.js'
import { pageQueryFields, pageQueryOf } from '../../../api/query-inputs.js'
import {
  bool,
  type Infer,
  list,
  type Numeric,
  numeric,
  option,
  type Schema,
  string,
  struct,
  u8,
  varint,
} from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  controlLimits,
  controlWindow,
  type Metadata,
  type Mintable,
  metadata,
  mintable,
  name,
} from '../../../model/index.js'

export interface DefinitionView {
  readonly id: string
  readonly name: string
  readonly ownedBy: AccountId
  readonly scale: number | undefined
  readonly mintable: Mintable
  readonly totalQuantity: Numeric
  readonly metadata: Metadata
}
const definitionView_ = struct('AssetDefinitionView', {
  id: assetDefinitionId,
  name,
  ownedBy: accountId,
  scale: option(u8),
  mintable,
  totalQuantity: numeric,
  metadata,
})
export const definitionView: Schema<DefinitionView> = definitionView_

export const definitionPage: Schema<Page<DefinitionView>> = pageOf('AssetDefinitionPage', definitionView)

export const definitionsInput = pageQueryOf('AssetDefinitionsQuery', assetDefinitionId)

/** A balance: what one account holds of one definition. */
export interface AssetView {
  readonly definition: string
  readonly account: AccountId
  readonly amount: Numeric
}
const assetView_ = struct('AssetView', { definition: assetDefinitionId, account: accountId, amount: numeric })
export const assetPage: Schema<Page<AssetView>> = pageOf('AssetPage', assetView_ as Schema<AssetView>)

const assetsQuery_ = struct('AssetsQuery', {
  ...pageQueryFields(assetCursor),
  definition: option(assetDefinitionId),
  account: option(accountId),
})
export type AssetsQuery = Infer<typeof assetsQuery_>
export const assetsQuery: Schema<AssetsQuery> = assetsQuery_

const controlView_ = struct('ControlView', {
  definition: assetDefinitionId,
  account: accountId,
  frozen: bool,
  blacklisted: bool,
  limits: controlLimits,
  /** What left in the current window of each cap, and what may still leave. */
  usage: list(struct('ControlUsageView', { window: controlWindow, spent: numeric, left: numeric }), 3),
})
export type ControlView = Infer<typeof controlView_>
export const controlView: Schema<ControlView> = controlView_
export const controlPage = pageOf('ControlPage', controlView)

const controlQuery_ = struct('ControlQuery', { definition: assetDefinitionId, account: accountId })
export type ControlQuery = Infer<typeof controlQuery_>
export const controlQuery: Schema<ControlQuery> = controlQuery_

const controlsQuery_ = struct('ControlsQuery', {
  definition: assetDefinitionId,
  ...pageQueryFields(accountCursor),
})
export type ControlsQuery = Infer<typeof controlsQuery_>
export const controlsQuery: Schema<ControlsQuery> = controlsQuery_

/** Whether a transfer would be refused as the state stands. */
const checkQuery_ = struct('ControlCheckQuery', {
  definition: assetDefinitionId,
  account: accountId,
  to: accountId,
  amount: numeric,
})
export type ControlCheckQuery = Infer<typeof checkQuery_>
export const controlCheckQuery: Schema<ControlCheckQuery> = checkQuery_
const check_ = struct('ControlCheck', {
  allowed: bool,
  /** Error code that the transfer would be rejected with. */
  code: option(string(64)),
  message: option(string(1024)),
  height: varint,
})
export type ControlCheck = Infer<typeof check_>
export const controlCheck: Schema<ControlCheck> = check_
