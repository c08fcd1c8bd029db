import { Text } from '@mantine/core'
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
  return (
    <ol className={classes.steps} aria-label="Cleaning steps">
      {steps.map((step, at) => (
        <li key={at} className={classes.step} data-broken={problem?.step === at || undefined}>
          <div className={classes.words}>
            <Text size="sm">
              {at + 1}. {describeStep(step)}
            </Text>
            <StepNote step={step} effect={effects[at]} fault={problem?.step === at ? problem.message : null} />
          </div>
          {edit && <StepButtons {...{ steps, at }} {...edit} />}
        </li>
      ))}
    </ol>
  )
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
}

function StepButtons({ steps, at, onSteps, onOpen }: StepButtonsProps) {
  return (
    <div className={classes.buttons}>
      <IconButton
        icon={IconArrowUp}
        label={`Move step ${at + 1} up`}
        size="lg"
        disabled={at === 0}
        onClick={() => onSteps(moveStep(steps, at, -1))}
      />
      <IconButton
        icon={IconArrowDown}
        label={`Move step ${at + 1} down`}
        size="lg"
        disabled={at === steps.length - 1}
        onClick={() => onSteps(moveStep(steps, at, 1))}
      />
      <IconButton icon={IconPencil} label={`Edit step ${at + 1}`} size="lg" onClick={() => onOpen(at)} />
      <IconButton
        icon={IconTrash}
        label={`Remove step ${at + 1}`}
        size="lg"
        onClick={() => onSteps(steps.filter((_, place) => place !== at))}
      />
    </div>
  )
}
