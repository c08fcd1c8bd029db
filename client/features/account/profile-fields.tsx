import { Chip, Group, Input, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { GOALS } from '../../../src/shared/workspaces'
import type { Goal } from '../../../src/shared/workspaces'

const GOAL_LABELS: Record<Goal, string> = {
  sales: 'Follow sales',
  costs: 'Keep costs in hand',
  cash: 'See cash ahead',
  customers: 'Understand customers',
  reporting: 'Report faster',
  forecasting: 'Plan ahead',
}
const isGoal = (text: string): text is Goal => GOALS.some((goal) => goal === text)

export interface ProfileValues {
  name: string
  job: string
  goals: Goal[]
}

/** What a person says about themselves, in the first steps and later. */
export function ProfileFields<V extends ProfileValues>({ form }: { form: UseFormReturnType<V> }) {
  const { value, onChange } = form.getInputProps('goals')
  return (
    <>
      <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
      <TextInput
        label="What you do"
        placeholder="Owner, CFO, accountant …"
        autoComplete="organization-title"
        {...form.getInputProps('job')}
      />
      <Input.Wrapper label="What you want to see" labelElement="div" description="Choose any that fit.">
        <Chip.Group multiple value={value} onChange={(picked) => onChange(picked.filter(isGoal))}>
          <Group gap="xs" mt={8} role="group" aria-label="What you want to see">
            {GOALS.map((goal) => (
              <Chip key={goal} value={goal} variant="outline" radius="md">
                {GOAL_LABELS[goal]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
    </>
  )
}
