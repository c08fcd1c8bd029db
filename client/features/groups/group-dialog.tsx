import { FormDialog } from '../../ui/forms/form-dialog'
import { Input, VisuallyHidden, Select, Text, TextInput, Textarea } from '@mantine/core'
import { useId } from 'react'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { formValidator } from '../../lib/validate-form'
import { useFormDraft } from '../../lib/writes/kept-draft'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { createGroupSchema, GROUP_COLORS } from '../../../src/shared/groups'
import type { CreateGroupInput, UserGroup, GroupColor } from '../../../src/shared/groups'
import { ROLES, type Role } from '../../../src/shared/permissions'
import { COLOR_NAMES, roleOptions } from './group-text'
import classes from './groups.module.css'
import { useCreateGroup, useUpdateGroup } from './queries'
import { ApiError } from '../../lib/api'
import { applyFieldErrors, fieldErrors, FormError } from '../../ui/forms/form-error'

/** A group while it is being written. */
export interface GroupFormValues {
  name: string
  description: string
  color: GroupColor
  rule: 'none' | 'domain' | 'role'
  domain: string
  role: Role
}
const GROUP_FIELDS = ['name', 'description', 'color', 'domain', 'role']

const toGroupValues = (group: UserGroup | null): GroupFormValues => {
  const rule = group?.autoRule ?? null
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    color: group?.color ?? 'blue',
    rule: rule?.kind ?? 'none',
    domain: rule?.kind === 'domain' ? rule.value : '',
    role: rule?.kind === 'role' ? rule.value : 'analyst',
  }
}

function toGroupInput({ name, description, color, rule, domain, role }: GroupFormValues): CreateGroupInput {
  const autoRule =
    rule === 'domain' ? { kind: rule, value: domain } : rule === 'role' ? { kind: rule, value: role } : null
  return { name, description, color, autoRule }
}

const check = formValidator(createGroupSchema)
/** The sentence about a rule stands beside the field that holds its value. */
function validateGroup(values: GroupFormValues): Record<string, string> {
  const { 'autoRule.value': rule, ...errors } = check(toGroupInput(values))
  return rule === undefined ? errors : { ...errors, [values.rule]: rule }
}

const isRole = (text: string | null): text is Role => ROLES.some((role) => role === text)

/** One of the colours of groups; arrows move among them. */
function ColorPicker({ value, onChange }: { value: GroupColor; onChange: (color: GroupColor) => void }) {
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={id}>
      <Input.Label id={id} labelElement="div" mb={5}>
        Colour
      </Input.Label>
      <div className={classes.colors}>
        {GROUP_COLORS.map((color) => (
          <label key={color} className={classes.color} title={COLOR_NAMES[color]}>
            <VisuallyHidden>
              <input type="radio" name={id} checked={value === color} onChange={() => onChange(color)} />
              {COLOR_NAMES[color]}
            </VisuallyHidden>
            <span aria-hidden className={classes.swatch} style={{ background: `var(--mantine-color-${color}-6)` }} />
          </label>
        ))}
      </div>
    </div>
  )
}

const RULE_OPTIONS = [
  { value: 'none', label: 'Manual' },
  { value: 'domain', label: 'By email domain' },
  { value: 'role', label: 'By role' },
] as const

/** Who belongs to the group without being added. */
function AutoRuleFields({ form }: { form: UseFormReturnType<GroupFormValues> }) {
  const { rule, role } = form.values
  return (
    <>
      <Select
        label="Membership"
        data={RULE_OPTIONS}
        value={rule}
        onChange={(value) => {
          const chosen = RULE_OPTIONS.find((one) => one.value === value)
          if (chosen) form.setFieldValue('rule', chosen.value)
        }}
      />
      {rule === 'domain' && (
        <TextInput
          label="Domain"
          placeholder="company.com"
          description="Confirmed email addresses only"
          autoCapitalize="none"
          {...form.getInputProps('domain')}
        />
      )}
      {rule === 'role' && (
        <Select
          label="Role"
          data={roleOptions}
          value={role}
          error={form.errors['role']}
          onChange={(value) => {
            if (isRole(value)) form.setFieldValue('role', value)
          }}
        />
      )}
      {rule !== 'none' && (
        <Text size="xs" c="dimmed">
          Members by rule leave when it no longer matches. You can add others manually.
        </Text>
      )}
    </>
  )
}

const isNameTaken = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'name_taken'

/** A new group, or what is said of one that is there. */
export function GroupDialog({ group, onClose }: { group: UserGroup | null; onClose: () => void }) {
  const form = useForm({ initialValues: toGroupValues(group), validate: validateGroup })
  const draft = useFormDraft(form, { name: `group:${group?.id ?? 'new'}`, base: group && String(group.version) })
  const create = useCreateGroup()
  const update = useUpdateGroup()
  const { error, isPending } = group ? update : create
  const after = {
    onSuccess: (saved: UserGroup) => {
      draft.clear()
      notifications.show({ color: 'green', message: group ? `${saved.name} saved` : `${saved.name} created` })
      onClose()
    },
    onError: (problem: unknown) => {
      if (isNameTaken(problem)) form.setFieldError('name', 'Name already in use.')
      else applyFieldErrors(form, problem, GROUP_FIELDS)
    },
  }
  const save = (values: GroupFormValues) => {
    const input = toGroupInput(values)
    if (group) update.mutate({ ...input, id: group.id, version: group.version }, after)
    else create.mutate(input, after)
  }
  const visibleError = isNameTaken(error) || fieldErrors(error) !== null ? null : error
  return (
    <FormDialog
      title={group ? `Edit ${group.name}` : 'New group'}
      submit={group ? 'Save group' : 'Create group'}
      pending={isPending}
      onSubmit={form.onSubmit(save)}
      onClose={onClose}
    >
      <DraftNotice draft={draft} />
      <FormError error={visibleError} />
      <TextInput data-autofocus label="Name" maxLength={80} {...form.getInputProps('name')} />
      <Textarea
        label="Description"
        placeholder="Optional"
        rows={2}
        maxLength={500}
        {...form.getInputProps('description')}
      />
      <ColorPicker value={form.values.color} onChange={(color) => form.setFieldValue('color', color)} />
      <AutoRuleFields form={form} />
    </FormDialog>
  )
}
