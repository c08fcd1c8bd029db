import { Select, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { roleOptions } from './group-words'
import { isRole } from './group-values'
import type { GroupFormValues } from './group-values'

const RULE_OPTIONS = [
  { value: 'none', label: 'Nobody: added by hand' },
  { value: 'domain', label: 'Everybody at a mail domain' },
  { value: 'role', label: 'Everybody with a role' },
] as const

/** Who belongs to the group without being added. */
export function AutoRuleFields({ form }: { form: UseFormReturnType<GroupFormValues> }) {
  const { rule, role } = form.values
  return (
    <>
      <Select
        label="Belongs to it automatically"
        data={RULE_OPTIONS}
        value={rule}
        allowDeselect={false}
        onChange={(value) => {
          const chosen = RULE_OPTIONS.find((one) => one.value === value)
          if (chosen) form.setFieldValue('rule', chosen.value)
        }}
      />
      {rule === 'domain' && (
        <TextInput
          label="Domain"
          placeholder="company.com"
          description="Only addresses count that their owners have confirmed."
          autoCapitalize="none"
          {...form.getInputProps('domain')}
        />
      )}
      {rule === 'role' && (
        <Select
          label="Role"
          data={roleOptions}
          value={role}
          allowDeselect={false}
          error={form.errors['role']}
          onChange={(value) => {
            if (isRole(value)) form.setFieldValue('role', value)
          }}
        />
      )}
      {rule !== 'none' && (
        <Text size="xs" c="dimmed">
          Others can still be added by hand. Who belongs to it by the rule leaves when the rule no longer fits.
        </Text>
      )}
    </>
  )
}
