export const settingNames = ['STAGE'] as const;
