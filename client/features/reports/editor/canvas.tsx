import { ActionIcon, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowsMove, IconCopy, IconTrash } from '@tabler/icons-react'
import { useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import type { BlockKind, GridPlace, ReportBlock } from '../../../../src/shared/reports/blocks'
import { IconButton } from '../../../ui/buttons/icon-button'
import { ReportBlockView } from '../blocks/report-block'
import { blockName } from '../../../../src/shared/reports/block-names'
import classes from './editor.module.css'
import { describePlace, MIN_SIZES, moveStep, readingOrder, resizeStep, type Direction } from './layout'
import { useDrag } from './use-drag'

const FIXED: ReadonlySet<BlockKind> = new Set(['insight', 'metric', 'forecast', 'statement', 'image'])
const rowsVariable = (rows: number): Record<`--${string}`, string> => ({ '--rows': String(rows) })
const placeStyle = ({ x, y, w, h }: GridPlace): CSSProperties => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
  ...rowsVariable(h),
})

const ARROWS: Record<string, Direction> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }

interface CanvasProps {
  blocks: readonly ReportBlock[]
  selected: string | null
  /** Blocks that stand in the way of publishing. */
  problems: ReadonlySet<string>
  onSelect: (block: string | null) => void
  onPlaced: (blocks: ReportBlock[]) => void
  onDuplicate: (block: string) => void
  onRemove: (block: string) => void
}

/** The page while it is laid out: blocks are moved and resized by pointer, by arrow keys and by menu. */
export function Canvas(props: CanvasProps) {
  const { blocks, selected, problems, onSelect, onPlaced } = props
  const canvas = useRef<HTMLDivElement>(null)
  const [news, setNews] = useState('')
  const narrow = useMediaQuery('(max-width: 43.74em)') ?? false
  const { drag, handlers } = useDrag(canvas, blocks, onPlaced)
  const step = (block: ReportBlock, direction: Direction, resizes: boolean): void => {
    const next = resizes
      ? resizeStep(blocks, block.id, direction, MIN_SIZES[block.kind])
      : moveStep(blocks, block.id, direction)
    const place = next?.find(({ id }) => id === block.id)?.place
    setNews(place ? `${blockName(block)}: ${describePlace(place)}` : 'No further')
    if (next) onPlaced(next)
  }
  const shown = drag ? drag.preview : blocks
  const ghost = drag && drag.preview.find(({ id }) => id === drag.id)
  return (
    <div ref={canvas} className={classes.canvas} data-dragging={drag !== null || undefined}>
      {readingOrder(shown).map((block) => {
        const isDragged = drag?.id === block.id
        const own = isDragged ? (blocks.find(({ id }) => id === block.id) ?? block) : block
        return (
          <EditableBlock
            key={block.id}
            block={own}
            style={{
              ...placeStyle(isDragged && drag.mode === 'resize' ? block.place : own.place),
              ...(isDragged && drag.mode === 'move' ? { transform: `translate(${drag.by.x}px, ${drag.by.y}px)` } : {}),
            }}
            isDragged={isDragged && drag.mode === 'move'}
            isSelected={selected === block.id}
            hasProblem={problems.has(block.id)}
            moves={narrow ? {} : handlers(block.id, 'move')}
            resizes={narrow ? {} : handlers(block.id, 'resize')}
            onSelect={() => onSelect(block.id)}
            onStep={(direction, resizes) => step(own, direction, resizes)}
            onDuplicate={() => props.onDuplicate(block.id)}
            onRemove={() => props.onRemove(block.id)}
          />
        )
      })}
      {drag?.mode === 'move' && ghost && (
        <div className={classes.ghost} style={placeStyle(ghost.place)} aria-hidden="true" />
      )}
      <div className="only-reader" role="status" aria-live="polite">
        {news}
      </div>
    </div>
  )
}

type PointerHandlers = Partial<ReturnType<ReturnType<typeof useDrag>['handlers']>>
interface EditableBlockProps {
  block: ReportBlock
  style: CSSProperties
  isDragged: boolean
  isSelected: boolean
  hasProblem: boolean
  moves: PointerHandlers
  resizes: PointerHandlers
  onSelect: () => void
  onStep: (direction: Direction, resizes: boolean) => void
  onDuplicate: () => void
  onRemove: () => void
}

function EditableBlock(props: EditableBlockProps) {
  const { block, style, isSelected, moves, onSelect, onStep, onRemove } = props
  const name = blockName(block)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return
    const direction = ARROWS[event.key]
    if (direction) {
      event.preventDefault()
      onStep(direction, event.shiftKey)
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onSelect()
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      onRemove()
    }
  }
  return (
    <div
      className={classes.block}
      id={`block-${block.id}`}
      style={style}
      role="group"
      aria-roledescription="block"
      aria-label={`${name}, ${describePlace(block.place)}`}
      data-selected={isSelected || undefined}
      data-problem={props.hasProblem || undefined}
      data-dragging={props.isDragged || undefined}
      data-fixed={FIXED.has(block.kind) || undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={classes.content} inert>
        <ReportBlockView block={block} isEditing />
      </div>
      <div className={classes.cover} {...moves} onClick={onSelect} />
      <BlockTools {...props} name={name} />
      <div className={classes.resize} aria-hidden="true" {...props.resizes} />
    </div>
  )
}

const STEPS: readonly { direction: Direction; move: string; resize: string }[] = [
  { direction: 'left', move: 'Move left', resize: 'Narrower' },
  { direction: 'right', move: 'Move right', resize: 'Wider' },
  { direction: 'up', move: 'Move up', resize: 'Shorter' },
  { direction: 'down', move: 'Move down', resize: 'Taller' },
]

function BlockTools({ name, onStep, onDuplicate, onRemove }: EditableBlockProps & { name: string }) {
  return (
    <div className={classes.tools}>
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Move or resize ${name}`}>
            <IconArrowsMove size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Move (arrow keys)</Menu.Label>
          {STEPS.map(({ direction, move }) => (
            <Menu.Item key={move} onClick={() => onStep(direction, false)}>
              {move}
            </Menu.Item>
          ))}
          <Menu.Label>Resize (Shift + arrow keys)</Menu.Label>
          {STEPS.map(({ direction, resize }) => (
            <Menu.Item key={resize} onClick={() => onStep(direction, true)}>
              {resize}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <IconButton icon={IconCopy} label={`Duplicate ${name}`} onClick={onDuplicate} />
      <IconButton icon={IconTrash} label={`Delete ${name}`} onClick={onRemove} />
    </div>
  )
}
