export interface AskOptions {
  readonly limit: number;
  readonly timezone?: string;
}

export interface LoginOptions {
  readonly browser?: boolean;
  readonly provider?: string;
  readonly apiKey?: string;
  readonly open: boolean;
}

export interface ChatOptions {
  readonly timezone?: string;
  readonly history?: boolean;
}
