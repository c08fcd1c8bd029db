import { Fragment, type ReactNode } from 'react'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { BlockOf } from '../../../../src/shared/reports/blocks'
import type { TokenAnswer } from '../../../../src/shared/reports/tiles'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { toError, useTile } from '../tiles/use-tiles'
import classes from './blocks.module.css'
import { LinesSkeleton, TileFrame } from './tile-frame'
import { richText, piecesOf, type Piece, type TextPart } from '../../../../src/shared/reports/rich-text'
import { tokenText } from '../../../../src/shared/reports/token-text'

type Tokens = Readonly<Record<string, TokenAnswer>>

/** Words with their figures in place; readers see nothing of an empty one. */
export function TextTile({ block, isEditing }: { block: BlockOf<'text'>; isEditing: boolean }) {
  const state = useTile(block.id)
  const tokens = state.content?.kind === 'text' ? state.content.tokens : {}
  if (block.text.trim() === '')
    return isEditing ? <div className={classes.message}>Enter a text in its settings</div> : null
  return (
    <article className={classes.text} aria-label="Text" aria-busy={state.waiting}>
      {richText(block.text).map((part, at) => (
        <RichPart key={at} part={part} tokens={tokens} />
      ))}
    </article>
  )
}

function RichPart({ part, tokens }: { part: TextPart; tokens: Tokens }) {
  switch (part.kind) {
    case 'heading': {
      const Heading = ({ 1: 'h2', 2: 'h3', 3: 'h4' } as const)[part.level]
      return (
        <Heading>
          <Pieces pieces={part.pieces} tokens={tokens} />
        </Heading>
      )
    }
    case 'list':
      return (
        <ul>
          {part.items.map((pieces, at) => (
            <li key={at}>
              <Pieces pieces={pieces} tokens={tokens} />
            </li>
          ))}
        </ul>
      )
    case 'paragraph':
      return (
        <p>
          {part.lines.map((pieces, at) => (
            <Fragment key={at}>
              {at > 0 && <br />}
              <Pieces pieces={pieces} tokens={tokens} />
            </Fragment>
          ))}
        </p>
      )
  }
}

/** Pieces of a line; figures in the workspace's notation. */
export function Pieces({ pieces, tokens }: { pieces: readonly Piece[]; tokens: Tokens }): ReactNode {
  const format = useCellFormatter()
  return pieces.map((piece, at) => {
    const shown =
      piece.kind === 'words' ? (
        piece.text
      ) : (
        <span className={classes.token} data-waiting={tokens[piece.raw] === undefined || undefined} title={piece.raw}>
          {tokenText(piece.raw, tokens[piece.raw], format)}
        </span>
      )
    return piece.strong ? <strong key={at}>{shown}</strong> : <Fragment key={at}>{shown}</Fragment>
  })
}

/** What a figure gives reason to say; nothing in a report where there is nothing to say. */
export function ObservationTile({ block, isEditing }: { block: BlockOf<'observation'>; isEditing: boolean }) {
  const state = useTile(block.id)
  const { content } = state
  if (content?.kind !== 'observation' || toError(state))
    return (
      <TileFrame title="Observation" block={block.id} bare skeleton={<LinesSkeleton />}>
        {null}
      </TileFrame>
    )
  const { meets, tokens } = content
  const sentence = content.sentence ?? (meets === null ? '' : meets ? block.then : block.otherwise)
  if (sentence === '' && !isEditing) return null
  const ObservationIcon = meets === true ? IconInfoCircle : IconCircleCheck
  return (
    <article className={classes.tile} aria-label="Observation" aria-busy={state.waiting}>
      <div className={classes.observation}>
        <ObservationIcon size={20} color={meets === true ? 'var(--accent)' : 'var(--good)'} aria-hidden />
        <div>
          {sentence === '' ? (
            <span className={classes.neutral}>
              {meets === null ? 'No figure for this period: readers see nothing.' : 'Readers see nothing now.'}
            </span>
          ) : (
            <Pieces pieces={piecesOf(sentence)} tokens={tokens} />
          )}
        </div>
      </div>
    </article>
  )
}
