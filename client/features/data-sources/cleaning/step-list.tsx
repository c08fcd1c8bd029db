import { Text } from '@mantine/core'
import { useEffect, useRef, type RefObject } from 'react'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import classes from './cleaning.module.css'
import { describeEffect, moveStep } from './step-drafts'
import { useFormat } from '../../../lib/format'
import { IconButton } from '../../../ui/buttons/icon-button'
import {
  describeStep,
  type CleaningProblem,
  type CleaningStep,
  type StepEffect,
} from '../../../../src/shared/data-sources/cleaning'

export interface StepListProps {
  steps: readonly CleaningStep[]
  /** Beside each step, as far as it is known what it did. */
  effects: readonly StepEffect[]
  problem: CleaningProblem | null
  /** Absent: nothing can be changed here. */
  edit?: { onSteps: (steps: CleaningStep[]) => void; onOpen: (at: number) => void }
}

/** The steps of a recipe in their order, each with what it did. */
export function StepList({ steps, effects, problem, edit }: StepListProps) {
  const list = useRef<HTMLOListElement>(null)
  const focusStep = useFocusAfterChange(list, steps)
  return (
    <ol className={classes.steps} aria-label="Cleaning steps" ref={list}>
      {steps.map((step, at) => (
        <li key={at} className={classes.step} data-broken={problem?.step === at || undefined}>
          <div className={classes.words}>
            <Text size="sm">
              {at + 1}. {describeStep(step)}
            </Text>
            <StepNote step={step} effect={effects[at]} fault={problem?.step === at ? problem.message : null} />
          </div>
          {edit && <StepButtons {...{ steps, at, focusStep }} {...edit} />}
        </li>
      ))}
    </ol>
  )
}

/** The focus follows a step that was moved, and stays among the steps when one was removed. */
function useFocusAfterChange(
  list: RefObject<HTMLOListElement | null>,
  steps: readonly CleaningStep[],
): (...labels: string[]) => void {
  const wanted = useRef<readonly string[]>([])
  useEffect(() => {
    for (const label of wanted.current) {
      const button = list.current?.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]:not(:disabled)`)
      if (!button) continue
      button.focus()
      break
    }
    wanted.current = []
  }, [list, steps])
  return (...labels) => {
    wanted.current = labels
  }
}

interface StepNoteProps {
  step: CleaningStep
  effect: StepEffect | undefined
  fault: string | null
}

function StepNote({ step, effect, fault }: StepNoteProps) {
  const format = useFormat()
  if (fault !== null)
    return (
      <Text size="xs" c="var(--bad)">
        {fault} Edit or remove this step.
      </Text>
    )
  if (!effect) return null
  return (
    <Text size="xs" c="dimmed">
      {describeEffect(step, effect, format)}
    </Text>
  )
}

interface StepButtonsProps {
  steps: readonly CleaningStep[]
  at: number
  onSteps: (steps: CleaningStep[]) => void
  onOpen: (at: number) => void
  focusStep: (...labels: string[]) => void
}

const moveLabel = (at: number, by: -1 | 1): string => `Move step ${at + 1} ${by < 0 ? 'up' : 'down'}`
const removeLabel = (at: number): string => `Remove step ${at + 1}`

function StepButtons({ steps, at, onSteps, onOpen, focusStep }: StepButtonsProps) {
  const move = (by: -1 | 1) => {
    focusStep(moveLabel(at + by, by), moveLabel(at + by, by === 1 ? -1 : 1))
    onSteps(moveStep(steps, at, by))
  }
  const remove = () => {
    focusStep(removeLabel(at), removeLabel(at - 1))
    onSteps(steps.filter((_, place) => place !== at))
  }
  return (
    <div className={classes.buttons}>
      <IconButton icon={IconArrowUp} label={moveLabel(at, -1)} size="lg" disabled={at === 0} onClick={() => move(-1)} />
      <IconButton
        icon={IconArrowDown}
        label={moveLabel(at, 1)}
        size="lg"
        disabled={at === steps.length - 1}
        onClick={() => move(1)}
      />
      <IconButton icon={IconPencil} label={`Edit step ${at + 1}`} size="lg" onClick={() => onOpen(at)} />
      <IconButton icon={IconTrash} label={removeLabel(at)} size="lg" onClick={remove} />
    </div>
  )
}
